// Bytes as text for addresses. Node 20 and pages have only `btoa` and `atob` in common.

/** `String.fromCharCode` takes each byte as an argument, and engines limit their number. */
const BYTES_AT_ONCE = 8_192

export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE)
    binary += String.fromCharCode(...bytes.subarray(start, start + BYTES_AT_ONCE))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Throws if the text is not base64url. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
