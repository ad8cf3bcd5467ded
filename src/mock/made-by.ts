// Which version of this package has made a mock. The symbol is a registered one, since a process may have two copies of the package:
// its ES modules and its CommonJS build, whose mocks are the same, or two versions, whose mocks need not be.
import { UsageError } from '../contract/errors.ts'
import { version } from '../generated/version.ts'

const MADE_BY = Symbol.for('animal-store-mock')

export function withVersion<T extends object>(mock: T): T {
  return Object.assign(mock, { [MADE_BY]: version })
}

/** Throws for a mock of another version. What answers without being a mock of ours has none. */
export function checkVersion(name: string, mock: object): void {
  const { [MADE_BY]: other = version } = mock as { readonly [MADE_BY]?: string }
  if (other !== version) {
    throw new UsageError(
      `${name}: the mock was made by animal-store-mock ${other}, and ${name} is of ${version}; install one version for both`,
    )
  }
}
