/** Passkeys: the browser's part of making one and of signing in with one. */

import type { Me } from "../protocol/messages";
import { api } from "./api";

/** Browsers have passkeys at secure addresses with a name only: not at an IP address. */
export const passkeysWork = (): boolean =>
  "PublicKeyCredential" in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** This page at an address of this computer that has a name; null if the page is not at a loopback address. */
export const namedAddress = (): string | null =>
  /^127\.[\d.]+$|^\[::1\]$/.test(location.hostname)
    ? `${location.protocol}//localhost${location.port && `:${location.port}`}${location.pathname}`
    : null;

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

interface Described {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}
const described = (keys: Described[] = []) => keys.map((key) => ({ ...key, id: toBytes(key.id) }));

/** The options as the server writes them: bytes are text. */
interface Written {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Described[];
  allowCredentials?: Described[];
}

/** The browser's answer with its bytes as text. */
function written({ id, type, response }: PublicKeyCredential): Record<string, unknown> {
  const parts: Record<string, string> = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    const bytes = (response as unknown as Record<string, ArrayBuffer | null | undefined>)[name];
    if (bytes) parts[name] = toText(bytes);
  }
  return { id, rawId: id, type, response: parts, clientExtensionResults: {} };
}

/** Null if the visitor has declined. */
async function answer(ask: Promise<Credential | null>): Promise<Record<string, unknown> | null> {
  try {
    return written((await ask) as PublicKeyCredential);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Create a passkey for the signed-in person; null if none was created. */
export async function makePasskey(): Promise<Me | null> {
  const { ticket, options } = await api.passkeyOptions();
  const plain = options as unknown as Written;
  const publicKey = {
    ...plain,
    challenge: toBytes(plain.challenge),
    user: { ...plain.user, id: toBytes(plain.user.id) },
    excludeCredentials: described(plain.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = await answer(navigator.credentials.create({ publicKey }));
  return credential && api.registerPasskey(ticket, credential);
}

/** Sign in with a passkey; null if none was used. */
export async function signIn(): Promise<Me | null> {
  const { ticket, options } = await api.loginOptions();
  const plain = options as unknown as Written;
  const publicKey = {
    ...plain,
    challenge: toBytes(plain.challenge),
    allowCredentials: described(plain.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions;
  const credential = await answer(navigator.credentials.get({ publicKey }));
  return credential && api.login(ticket, credential);
}
