/** The scene of a test file. */
import { afterEach, beforeAll } from 'vitest'
import { Scene } from './scene'

/** The scene that `openScene` opened last. */
export let scene: Scene

/** Opens a scene for all tests of a file or of a `describe`, and ends each test's programs. */
export function openScene(...settings: Parameters<typeof Scene.open>): void {
  beforeAll(async () => {
    scene = await Scene.open(...settings)
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())
}
