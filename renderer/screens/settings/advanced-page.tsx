import { useState } from 'react'
import { formatBytes } from '#shared/format/format'
import { settingsEntries, type SettingsPatch } from '#shared/settings/settings'
import { transportSizes } from '#shared/transport-sizes'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import { Button } from '../../components/button'
import { ChoiceRow, SettingGroup, SettingRow } from '../../components/setting-rows'
import { text } from '../../text'
import { SettingsCopies } from './settings-copies'

/** Resets all settings but the servers, which people can't easily restore. */
const defaults = (): SettingsPatch => {
  const patch: Record<string, Record<string, null>> = {}
  for (const { section, name, key } of settingsEntries) {
    if (key === 'network.servers' || key === 'network.defaultServer') continue
    patch[section] = { ...patch[section], [name]: null }
  }
  return patch
}

export function AdvancedPage() {
  return (
    <>
      <SettingGroup title={text.settings.advanced.sizes}>
        {sizeNames.map((name) => (
          <SizeRow key={name} name={name} />
        ))}
      </SettingGroup>
      <SettingsCopies />
      <SettingGroup>
        <Reset />
      </SettingGroup>
    </>
  )
}

const sizeNames = ['connectionWindow', 'socketBuffers'] as const

/** The choices in bytes; a file may contain others. */
const choices = {
  connectionWindow: [20e6, 50e6, 100e6, 250e6, 500e6, 1e9],
  socketBuffers: [500e3, 2e6, 4e6, 16e6, 64e6, 250e6],
} as const

function SizeRow({ name }: { readonly name: (typeof sizeNames)[number] }) {
  const { [name]: value } = useSettings('advanced')
  const words = text.settings.advanced
  const sizes = [...new Set([...choices[name], value])].filter((size) => size !== 0)
  const automatic = words.automatic(formatBytes(transportSizes[name].automatic))
  return (
    <ChoiceRow
      label={words[name]}
      about={words[`${name}About`]}
      value={value.toString()}
      options={[
        ['0', automatic],
        ...sizes.sort((a, b) => a - b).map((size) => [size.toString(), formatBytes(size)] as const),
      ]}
      onChange={(size) => {
        void changeSettings({ advanced: { [name]: size === '0' ? null : Number(size) } })
      }}
    />
  )
}

function Reset() {
  const [isAsked, setIsAsked] = useState(false)
  const words = text.settings.advanced
  return (
    <SettingRow label={isAsked ? words.resetSure : words.reset} about={words.resetAbout}>
      {isAsked && (
        <Button variant="ghost" onClick={() => setIsAsked(false)}>
          {text.actions.cancel}
        </Button>
      )}
      <Button
        onClick={() => {
          setIsAsked(!isAsked)
          if (isAsked) void changeSettings(defaults())
        }}
      >
        {words.resetButton}
      </Button>
    </SettingRow>
  )
}
