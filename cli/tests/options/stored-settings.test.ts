import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Client } from '#client/client'
import { SettingsFile } from '#client/settings/settings-file'
import { folderOfTest } from '#client/testing/temporary-folder'
import { cautiousSettings, decodeSettings, type SettingsDocument } from '#shared/settings/settings'
import { emptyState, type SpeedLimits } from '#shared/state/app-state'
import { atThisComputer } from '../../compose-client'
import { applyLimits, readPlan, readShare } from '../../options/flags'
import { readOrWarn, withSettings } from '../../options/stored-settings'
import { Paper } from '../paper'

const settingsWith = (document: SettingsDocument) => decodeSettings(document).settings

describe('stored settings', () => {
  const noInput = () => Promise.resolve('')

  it('apply to a share unless an option overrides them', async () => {
    const { sharing } = settingsWith({
      sharing: { maxReceivers: 3, codeLife: '1h', exclude: ['*.tmp'], oneReceiver: true },
    })
    const set = await readShare(['a'], {}, noInput, sharing)
    expect(set).toMatchObject({
      value: { maxReceivers: 3, codeLifeMs: 3_600_000, exclude: ['*.tmp'], oneReceiver: true },
    })
    const flags = { receivers: '5', expires: '10m', exclude: ['a'] }
    expect(await readShare(['a'], flags, noInput, sharing)).toMatchObject({
      value: {
        ...{ maxReceivers: 5, codeLifeMs: 600_000, exclude: ['*.tmp', 'a'], oneReceiver: false },
      },
    })
  })

  it("apply to a receive unless an option overrides them, except the window's folder", () => {
    const { receiving } = settingsWith({
      receiving: { folder: '/in', conflicts: 'skip', compareContent: true, keepTimes: false },
    })
    const options = { conflict: 'skip', compareContent: true, keepTimes: false }
    expect(readPlan({}, receiving)).toMatchObject({
      value: { plan: { directory: '.', options } },
    })
    const chosen = { out: 'x', conflict: 'replace' }
    expect(readPlan(chosen, receiving)).toMatchObject({
      value: {
        plan: {
          directory: 'x',
          options: { conflict: 'replace', keepTimes: false },
        },
      },
    })
  })

  it('include speed limits, which an option can lift', () => {
    const settings = settingsWith({ network: { uploadLimit: 5000, downloadLimit: 7000 } })
    const applied: SpeedLimits[] = []
    const client = {
      snapshot: () => ({ seq: 0, state: emptyState('/in', settings) }),
      setLimits: (limits: SpeedLimits) => {
        applied.push(limits)
        return { ok: true, value: null }
      },
    } as unknown as Client
    expect(applyLimits(client, {})).toBeNull()
    expect(applyLimits(client, { limitUp: '0' })).toBeNull()
    expect(applyLimits(client, { limitDown: '9k' })).toBeNull()
    expect(applied).toEqual([
      { upload: 0, download: 7000 },
      { upload: 5000, download: 9000 },
    ])
  })

  it('are overridden by --set for one command', () => {
    const path = join(folderOfTest(), 'config.toml')
    writeFileSync(path, '[sharing]\napprove = true\n[receiving]\nmark = false\nverify = true')
    const set = ['sharing.approve=no', 'receiving.mark=yes', 'sharing.exclude=a=b, c']
    const file = new SettingsFile(path)
    expect(withSettings({ set }, file, new Paper())).toMatchObject({
      value: {
        settings: {
          sharing: { approve: false, exclude: ['a=b', 'c'] },
          receiving: { mark: true, verify: true, keepTimes: true },
        },
      },
    })
    const lasting = ['network.portMapping=no', 'general.keepHistory=no']
    expect(withSettings({ set: lasting }, file, new Paper())).toMatchObject({
      value: { portMapping: false, history: false, settings: { network: { portMapping: false } } },
    })
    // A share keeps only its own network options for the next program, not its settings.
    const noFolder = `advanced.qlogFolder=${path}`
    for (const one of [
      'network.visible=no',
      'receiving.mark',
      'receiving.mark=2',
      'mark=no',
      noFolder,
    ]) {
      expect(withSettings({ set: [one] }, file, new Paper())).toMatchObject({
        ok: false,
        error: { code: 'E_BAD_ARGUMENT' },
      })
    }
  })

  it("don't affect the server of this computer", () => {
    const settings = settingsWith({
      network: {
        servers: [{ name: 'home', url: 'wss://home.example.org' }],
        defaultServer: 'home',
      },
    })
    expect(atThisComputer({ settings }).settings.network.defaultServer).toBe('')
  })

  it('are refused if the file is malformed, and listed with safe values', () => {
    const folder = folderOfTest()
    const path = join(folder, 'config.toml')
    writeFileSync(path, '[network\nrelay = ')
    const paper = new Paper()
    const { settings } = readOrWarn(new SettingsFile(path), paper)
    expect(settings).toEqual(cautiousSettings)
    expect(settings).toMatchObject({
      ...{ network: { relay: 'only', visible: 'off' }, general: { keepHistory: false } },
      ...{ sharing: { approve: true, oneReceiver: true }, contacts: { reachable: false } },
    })
    const refused = withSettings({}, new SettingsFile(path), paper)
    expect(refused).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT', subject: path } })
    expect(paper.notes.join('\n')).toMatch(`because ${path} can't be parsed`)
    expect(paper.printed).toEqual([])
  })
})
