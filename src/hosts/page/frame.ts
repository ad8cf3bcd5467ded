// The frame with the console. It runs the script of this package, and talks to nothing but the mock
// in the page.
import type { Transport } from '../../control/client/client.ts'

export async function createFrame(
  transport: Transport,
  hash: string,
  takesFocus: boolean,
): Promise<HTMLIFrameElement> {
  const { files } = await import('../generated/console.ts')
  // Unlike randomUUID, this also works in a page that is not secure.
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const frame = document.createElement('iframe')
  frame.title = 'Animal Store mock'
  frame.srcdoc = writePage(files['/'].body, nonce)
  frame.onload = () => {
    const view = frame.contentWindow as Window
    if (hash && !view.location.hash) goTo(frame, hash)
    Object.assign(view, { animalStoreMock: transport })
    const style = view.document.createElement('style')
    style.nonce = nonce
    style.textContent = files['/console.css'].body
    const script = view.document.createElement('script')
    script.nonce = nonce
    script.type = 'module'
    script.textContent = files['/console.js'].body
    view.document.head.append(style, script)
    if (takesFocus) view.focus()
  }
  return frame
}

/** A fragment alone would be one of the app's page, and load that into the frame. */
export function goTo(frame: HTMLIFrameElement, hash: string): void {
  frame.contentWindow?.location.replace(`about:srcdoc${hash}`)
}

/** The console's own page, without its links to files, and with a policy. */
function writePage(page: string, nonce: string): string {
  const own = `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`
  const policy = `default-src 'none'; ${own}; base-uri about:; form-action 'none'`
  // Without the base, a link to a fragment would load the app's page into the frame.
  const base = '<base href="about:srcdoc">'
  const head = `<head>${base}<meta http-equiv="Content-Security-Policy" content="${policy}">`
  return page.replace(/<link rel="stylesheet".*|<script.*/g, '').replace('<head>', head)
}
