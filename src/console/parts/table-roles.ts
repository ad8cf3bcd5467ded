// The roles that the parts of a table have by themselves. They are said all the same, since a narrow page lays the rows out in
// another way, and the browser then takes the table for no table.

export const table = { role: 'table' } as const
export const rowGroup = { role: 'rowgroup' } as const
export const row = { role: 'row' } as const
export const columnHeader = { role: 'columnheader' } as const
export const cell = { role: 'cell' } as const
