// The clipboard. The plain way needs a secure context, which a mock on another machine of the network is not.

/** Whether it could be copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  // In an open dialog only what is inside of it can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
