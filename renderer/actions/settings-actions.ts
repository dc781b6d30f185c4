/** People's actions on settings. Each change is saved immediately. */
import type { ServerCheck } from '#shared/settings/server-check'
import type { FixedServers } from '#shared/settings/server-choice'
import type { ServerProfile, Settings, SettingsPatch } from '#shared/settings/settings'
import type { CheckPart, Finding } from '#shared/state/network-check'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { noticeFailure } from './actions'

/** The settings; only used after the first snapshot. */
export const useSettings = <S extends keyof Settings>(section: S): Settings[S] =>
  useAppStore(({ state }) => (state?.settings ?? missing())[section])

/** The servers that no setting changes. */
export const useFixedServers = (): FixedServers =>
  useAppStore(({ state }) => state?.fixedServers) ?? noServers

const noServers: FixedServers = { given: null, builtIn: [] }

const missing = (): never => {
  throw new Error('settings are shown before the state is known')
}

export async function changeSettings(patch: SettingsPatch): Promise<void> {
  noticeFailure(await bridge.changeSettings(patch))
}

/** Tries a server that is not saved; `null` after an error, which is shown. */
export async function checkServer(profile: ServerProfile): Promise<ServerCheck | null> {
  const checked = await bridge.checkServer(profile)
  noticeFailure(checked)
  return checked.ok ? checked.value : null
}

/** Runs one part of the network check; empty after an error, which is shown. */
export async function checkNetwork(part: CheckPart): Promise<readonly Finding[]> {
  const checked = await bridge.checkNetwork({ part })
  noticeFailure(checked)
  return checked.ok ? checked.value : []
}

/** Saves a copy of the settings where the person chooses; `null` when nothing was saved. */
export async function exportSettings() {
  const reply = await bridge.exportSettings(undefined)
  noticeFailure(reply)
  return reply.ok ? reply.value : null
}

/** Lets the person choose such a copy; returns the changes it would make, `null` without one. */
export async function pickSettings() {
  const reply = await bridge.pickSettings(undefined)
  noticeFailure(reply)
  return reply.ok ? reply.value : null
}

/** Makes the changes of the chosen copy. False if nothing was changed. */
export async function importSettings(): Promise<boolean> {
  const reply = await bridge.importSettings(undefined)
  noticeFailure(reply)
  return reply.ok
}

/** Opens a picker for the folder of receives. */
export async function pickReceivingFolder(): Promise<void> {
  noticeFailure(await bridge.pickReceivingFolder(undefined))
}
