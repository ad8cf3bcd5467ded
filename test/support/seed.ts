// SPEC_SEED gives every property the same cases in each run. Without it each run has its own, and a
// failure names its seed.
const seed = process.env.SPEC_SEED
if (seed) (await import('fast-check')).configureGlobal({ seed: Number(seed) })
