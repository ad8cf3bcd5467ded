// Freezes plain data all the way down, for what is handed out to everybody.

export function deepFreeze<T>(value: T): T {
  // What is frozen already, such as animals that scenarios share, is frozen all the way down.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
  return value
}
