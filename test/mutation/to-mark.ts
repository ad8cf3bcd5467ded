// How the files of one run are called in the folder that its workers share.

/** The name of a test file in the shared folder. */
export function toMark(filepath: string): string {
  return filepath.replace(/[^\w.-]+/g, '_')
}

/** The file that tells the workers to take no further mutant. */
export const TIME_IS_UP = 'time-is-up'
