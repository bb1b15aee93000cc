/** Dragging a tile by touch, pen or mouse. A press without movement stays a tap. */

import type { Square } from "../rules/squares";
import type { Point } from "./geometry";

const TRAVEL_PX = 6;

export interface DragHandlers {
  onstart(): void;
  onmove(point: Point, over: Square | null): void;
  /** The square where the tile was dropped, or null outside the board. */
  ondrop(over: Square | null): void;
  oncancel(): void;
}

export function squareUnder({ x, y }: Point): Square | null {
  const found = document.elementsFromPoint(x, y).find((element) => element.hasAttribute("data-square"));
  return found ? Number(found.getAttribute("data-square")) : null;
}

/** Track a press on a tile; the handlers are called once it becomes a drag. */
export function follow(event: PointerEvent, handlers: DragHandlers): void {
  if (event.button !== 0) return;
  const source = event.currentTarget as HTMLElement;
  const from = { x: event.clientX, y: event.clientY };
  let dragging = false;

  const move = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    const point = { x: next.clientX, y: next.clientY };
    if (!dragging && Math.hypot(point.x - from.x, point.y - from.y) < TRAVEL_PX) return;
    if (!dragging) {
      dragging = true;
      handlers.onstart();
    }
    handlers.onmove(point, squareUnder(point));
  };
  const end = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    stop();
    if (!dragging) return;
    // The click that follows a drag is part of it and must not count as a tap.
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
    handlers.ondrop(squareUnder({ x: next.clientX, y: next.clientY }));
  };
  const cancel = (): void => {
    stop();
    if (dragging) handlers.oncancel();
  };
  const key = (pressed: KeyboardEvent): void => {
    if (pressed.key === "Escape") cancel();
  };
  const stop = (): void => {
    window.removeEventListener("keydown", key);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", cancel);
  };
  if (source.hasPointerCapture(event.pointerId)) source.releasePointerCapture(event.pointerId);
  window.addEventListener("keydown", key);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", cancel);
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
