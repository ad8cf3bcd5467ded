// Learns a world from a file of traffic.
import { type CalibrateOptions, type Calibration, calibrate } from '../../calibrate/calibrate.ts'
import { rethrow } from '../../contract/errors.ts'
import { readText } from '../../hosts/node/scenario-files.ts'

export async function calibrateFile(
  file: string,
  options: CalibrateOptions = {},
): Promise<Calibration> {
  const har = await readText(file)
  return calibrate({ ...options, har }).catch((error) => nameFile(error, file))
}

function nameFile(error: unknown, file: string): never {
  return rethrow(error, (problems) =>
    problems.map((problem) =>
      'path' in problem && problem.path === 'har' ? { ...problem, path: file } : problem,
    ),
  )
}
