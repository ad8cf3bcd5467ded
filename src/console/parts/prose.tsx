// A text from the contract, with `code` in backticks.

export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={piece}>{piece}</code> : piece))}</>
}
