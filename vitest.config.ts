import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { FLAGS } from './spec/browser/chromium.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      { test: { name: 'spec', include: ['spec/*.spec.ts'], exclude: ['spec/package.spec.ts'], testTimeout: 15_000 } },
      {
        publicDir: here('spec/browser/public'),
        plugins: [
          {
            name: 'hosts-in-browser',
            enforce: 'pre',
            resolveId: (source, importer) =>
              source === './hosts.ts' && importer?.endsWith('.spec.ts') ? here('spec/browser/hosts.ts') : null,
          },
        ],
        test: {
          name: 'page',
          include: ['spec/*.spec.ts'],
          exclude: ['spec/package.spec.ts', 'spec/node-server.spec.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: '/usr/bin/chromium', args: FLAGS } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
