/** Bundles the stage, which no build includes: Playwright calls this once before all tests. */
import { join, resolve } from 'node:path'
import { bundleProgram } from '../scripts/lib/bundle.mjs'

export const repository = resolve(import.meta.dirname, '..')

/** The stage's bundle; Electron loads it by name. */
export const stageBundle = join(repository, 'out/e2e/stage.cjs')

// oxlint-disable-next-line no-restricted-exports -- Playwright needs a default export.
export default async function buildStage(): Promise<void> {
  await bundleProgram('e2e/stage/main.ts', stageBundle)
}
