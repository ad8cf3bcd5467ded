// `generate`: animals to stdout, as a scenario.
import { UsageError } from '../../contract/errors.ts'
import { MAX_PRINTED_PETS } from '../../limits.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { toDocumentText } from '../print-document.ts'
import { count } from '../wording.ts'

export const generateCommand = defineCommand({
  summary: 'print generated animals as a scenario',
  flags: flagTables.generate,
  examples: ['generate --count 5 --seed 7', 'generate --count 100 --format yaml > scenario.yaml'],
  async run({ count: amount, seed, format }) {
    if (amount > MAX_PRINTED_PETS) {
      throw new UsageError(`--count: expected at most ${MAX_PRINTED_PETS}; \`generate: { count: ${amount} }\` in a scenario makes more`)
    }
    const { generatePets } = await import('../../generate/index.ts')
    const pets = generatePets({ count: amount, seed })
    await print(
      await toDocumentText({ name: `generated-${seed}`, description: `${count(amount, 'animal')} from seed ${seed}`, pets }, format),
    )
  },
})
