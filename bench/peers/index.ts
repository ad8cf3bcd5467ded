// The peers of a comparison, and how they get onto the machine: each in a folder of its own, never into the project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contestants.ts'
import { jsonServer } from './json-server.ts'
import { mockoon } from './mockoon.ts'
import { mswMiddleware } from './msw-middleware.ts'
import type { Animal, Peer } from './peer.ts'
import { prism } from './prism.ts'

export const peers: readonly Peer[] = [prism, jsonServer, mockoon, mswMiddleware]

export interface Installed {
  readonly peer: Peer
  readonly folder: string
  readonly packages: number
  readonly bytes: number
}

/** Installs a peer unless it is there in the same versions, and writes its files. */
export function install(peer: Peer, animals: readonly Animal[]): Installed {
  const folder = join(root, 'bench/.peers', peer.name.toLowerCase().replaceAll(/[^a-z]+/g, '-'))
  mkdirSync(folder, { recursive: true })
  const manifest = JSON.stringify({ private: true, dependencies: peer.packages })
  const file = join(folder, 'package.json')
  if (!existsSync(join(folder, 'node_modules')) || readFileSync(file, 'utf8') !== manifest) {
    writeFileSync(file, manifest)
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  for (const [name, text] of Object.entries(peer.files(animals))) writeFileSync(join(folder, name), text)
  return { peer, folder, ...weigh(join(folder, 'node_modules')) }
}

/** How many packages a folder of modules has, and how many bytes. */
function weigh(modules: string): { packages: number; bytes: number } {
  let packages = 0
  let bytes = 0
  const visit = (folder: string, isHome: boolean) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        const holdsPackages = entry.name === 'node_modules' || (isHome && entry.name.startsWith('@'))
        if (isHome && !holdsPackages && existsSync(join(path, 'package.json'))) packages++
        visit(path, holdsPackages)
      } else if (entry.isFile()) bytes += statSync(path).size
    }
  }
  visit(modules, true)
  return { packages, bytes }
}
