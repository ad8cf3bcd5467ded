// The console as a part of the page: it fills an element, without a button and a drawer.
import { createFrame } from './frame.ts'

type FrameOptions = Parameters<typeof createFrame>

/** Returns a function that removes it. `hash` is the place in the console that it begins at. */
export function embedConsole(
  element: Element,
  transport: FrameOptions[0],
  hash: string,
): () => void {
  let isRemoved = false
  let frame: HTMLIFrameElement | undefined

  async function add(): Promise<void> {
    const created = await createFrame(transport, hash, false)
    if (isRemoved) return
    frame = created
    frame.style.cssText = 'width: 100%; height: 100%; border: 0'
    element.append(frame)
  }

  void add()
  return () => {
    isRemoved = true
    frame?.remove()
  }
}
