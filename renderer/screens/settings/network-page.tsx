import type { SettingsPatch } from '#shared/settings'
import { ChoiceRow, SettingGroup, SwitchRow } from '../../components/setting-rows'
import { changeSettings, useSettings } from '../../settings-actions'
import { text } from '../../text'
import { ServerList } from './server-list'

const change = (network: SettingsPatch['network'] & object): void => {
  void changeSettings({ network })
}

const relays = ['automatic', 'only', 'never'] as const

export function NetworkPage() {
  const network = useSettings('network')
  const words = text.settings.network
  return (
    <>
      <SettingGroup>
        <SwitchRow
          label={words.visible}
          about={words.visibleAbout}
          value={network.visible}
          onChange={(visible) => {
            change({ visible })
          }}
        />
        <ChoiceRow
          label={words.relay}
          about={words.relayAbout}
          value={network.relay}
          options={relays.map((relay) => [relay, words.relays[relay]])}
          onChange={(relay) => {
            change({ relay })
          }}
        />
        <SwitchRow
          label={words.leaveRoom}
          about={words.leaveRoomAbout}
          value={network.leaveRoom}
          onChange={(leaveRoom) => {
            change({ leaveRoom })
          }}
        />
      </SettingGroup>
      <ServerList />
    </>
  )
}
