import { useState } from 'react'
import { settingsEntries, type SettingsPatch } from '#shared/settings'
import { Button } from '../../components/button'
import { SettingGroup, SettingRow } from '../../components/setting-rows'
import { changeSettings } from '../../settings-actions'
import { text } from '../../text'

/** Everything but the servers, which nobody remembers. */
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
    <SettingGroup>
      <Reset />
    </SettingGroup>
  )
}

function Reset() {
  const [isAsked, setIsAsked] = useState(false)
  const words = text.settings.advanced
  return (
    <SettingRow label={isAsked ? words.resetSure : words.reset} about={words.resetAbout}>
      {isAsked && (
        <Button
          variant="ghost"
          onClick={() => {
            setIsAsked(false)
          }}
        >
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
