// Explicit table roles: on narrow pages the rows are laid out with flexbox, and browsers then drop the implicit ones.

export const table = { role: 'table' } as const
export const rowGroup = { role: 'rowgroup' } as const
export const row = { role: 'row' } as const
export const columnHeader = { role: 'columnheader' } as const
export const cell = { role: 'cell' } as const
