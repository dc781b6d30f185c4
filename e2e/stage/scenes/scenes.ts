/** States of the window and the events that lead to them, by the name of the picture. */
import { contactScenes } from './contact-scenes'
import { nearbyScenes } from './nearby-scenes'
import { receiveScenes } from './receive-scenes'
import { shareScenes } from './share-scenes'
import { statesScene } from './states-scene'
import { updateScenes } from './update-scenes'

export const scenes = {
  ...contactScenes,
  ...nearbyScenes,
  ...receiveScenes,
  ...shareScenes,
  ...statesScene,
  ...updateScenes,
} as const

export type SceneName = keyof typeof scenes
