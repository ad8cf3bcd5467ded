// What the matrix is made of: groups of rows that share one installed project.
import type { Project } from './project.ts'

export interface Row {
  readonly environment: string
  readonly version: string
  /** Throws if the package does not work there. */
  check(project: Project): Promise<void>
}

export interface Group {
  /** Whether it runs with `-- all` only. */
  readonly isHeavy?: boolean
  readonly packages: readonly string[]
  /** Fields of the project's package.json. */
  readonly manifest?: object
  /** Puts the files into the project that its rows need. */
  prepare?(project: Project): void
  readonly rows: readonly Row[]
}
