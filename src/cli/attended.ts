// Whether a person sits at the terminal.

/** Nobody does where a CI gives its jobs a terminal. */
export function isAttended(environment: NodeJS.ProcessEnv): boolean {
  // In this order: to open standard input takes 3 % of a start, and without a person nothing else needs it.
  return !environment.CI && process.stderr.isTTY === true && process.stdin.isTTY === true
}
