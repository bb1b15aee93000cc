import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { SERVERLESS } from "./lib/hosting";
import { kept } from "./lib/storage";

mount(App, { target: document.getElementById("app")! });

/** How long after loading the whole app is cached for offline use. */
const UNDISTURBED_MS = 4_000;
/** The network may be down. */
const nextTime = (): void => {};

// Settings may have been changed on another device.
if (!SERVERLESS && kept("account") === "yes") void import("./lib/preferences").then(({ followAccount }) => followAccount());

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () =>
    setTimeout(() => void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`).catch(nextTime), UNDISTURBED_MS),
  );
}
