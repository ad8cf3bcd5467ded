// `generate`: animals to stdout, as a scenario.
import { defineCommand } from '../command.ts'
import { generateFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { toAnimals } from '../say.ts'

export const generateCommand = defineCommand({
  summary: 'print generated animals as a scenario',
  flags: generateFlags,
  examples: ['generate --count 5 --seed 7', 'generate --count 100 --format yaml > scenario.yaml'],
  async run({ count, seed, format }) {
    const { generatePets } = await import('../../generate/index.ts')
    const pets = generatePets({ count, seed })
    await print(await toDocumentText({ name: `generated-${seed}`, description: `${toAnimals(count)} from seed ${seed}`, pets }, format))
  },
})
