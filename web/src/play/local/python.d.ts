/** Written by offline/python.ts. */
declare module "virtual:python" {
  import type { Lockfile } from "pyodide";
  /** The folder of the files for tables without a server, relative to the site. */
  export const FOLDER: string;
  /** The size of each of them in bytes. */
  export const SIZES: Record<string, number>;
  export const LOCK: Lockfile;
}
