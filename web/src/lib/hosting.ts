/** Where the app runs: on a Riverstones server, or from files alone. */

/** True in the static build (`make static`), which has no server: whatever needs one is left out of it. */
export const SERVERLESS: boolean = import.meta.env.MODE === "static";
