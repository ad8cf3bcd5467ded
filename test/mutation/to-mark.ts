// How the files of one run are called in the folder that its workers share.

/** The name of a test file in the shared folder. */
export function toMark(filepath: string): string {
  return filepath.replace(/[^\w.-]+/g, '_')
}
