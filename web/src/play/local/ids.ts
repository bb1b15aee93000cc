/** The ids of tables that this device keeps. */

import { newId } from "../../lib/ids";

const PREFIX = "local-";

/** The id of the person at this device, in every table that it keeps: see riverstones/local/bridge.py. */
export const DEVICE = "device";

/** A new id, of a table or a review. */
export const newLocalId = (): string => PREFIX + newId();

/** Whether the table, or the review, is kept by this device rather than a server. */
export const isLocalId = (id: string | undefined): boolean => id?.startsWith(PREFIX) ?? false;
