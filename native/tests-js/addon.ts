/** The built addon under test, loaded as the programs load it. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type * as Addon from '../index.js'

export const addonFile = resolve(import.meta.dirname, '../../out/native/thruflux.node')

export const addon = createRequire(import.meta.url)(addonFile) as typeof Addon

export const noIce: Addon.IceServers = { stun: [], turn: [], relayUse: 'automatic' }
