// `generate`: animals to stdout, as a scenario.
import { UsageError } from '../../contract/errors.ts'
import { MAX_PRINTED_PETS } from '../../limits.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { toAnimals } from '../say.ts'

export const generateCommand = defineCommand({
  summary: 'print generated animals as a scenario',
  flags: flagTables.generate,
  examples: ['generate --count 5 --seed 7', 'generate --count 100 --format yaml > scenario.yaml'],
  async run({ count, seed, format }) {
    if (count > MAX_PRINTED_PETS) {
      throw new UsageError(`--count: expected at most ${MAX_PRINTED_PETS}; \`generate: { count: ${count} }\` in a scenario makes more`)
    }
    const { generatePets } = await import('../../generate/index.ts')
    const pets = generatePets({ count, seed })
    await print(await toDocumentText({ name: `generated-${seed}`, description: `${toAnimals(count)} from seed ${seed}`, pets }, format))
  },
})
