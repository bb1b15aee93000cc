import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });

/** So long a page has to itself before the whole app is fetched for the time without a network. */
const UNDISTURBED_MS = 4_000;
/** The network may be gone just then. */
const nextTime = (): void => {};

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () =>
    setTimeout(() => void navigator.serviceWorker.register("/sw.js").catch(nextTime), UNDISTURBED_MS),
  );
}
