// Fields of forms that several of them have.

interface FieldProps {
  readonly label: string
  readonly value: string
  onInput(value: string): void
}

interface NumberFieldProps extends FieldProps {
  readonly min?: number
  readonly max?: number
  readonly step?: 'any'
  readonly required?: boolean
  readonly placeholder?: string
}

/** A number as text, empty if there is none. */
export function NumberField({ label, value, onInput, ...limits }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode={limits.step ? 'decimal' : 'numeric'}
        min={0}
        {...limits}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

/** Several lines for a machine to read. */
export function CodeField({ label, value, onInput, rows }: FieldProps & { readonly rows: number }) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea class="mono" rows={rows} spellcheck={false} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  )
}
