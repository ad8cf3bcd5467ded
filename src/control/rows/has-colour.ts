// Whether a log has colours, as the terminal and the environment say.
type Environment = Partial<Record<string, string>>

export function hasColour(
  stream: { readonly isTTY?: boolean | undefined },
  env: Environment,
): boolean {
  const { FORCE_COLOR: forced } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
