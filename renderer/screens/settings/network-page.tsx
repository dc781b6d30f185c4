import { relayUses } from '#shared/settings/relay-use'
import { meetingUses, type SettingsPatch } from '#shared/settings/settings'
import { visibilities } from '#shared/settings/visibility'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import { ChoiceRow, SettingGroup, SwitchRow } from '../../components/setting-rows'
import { text } from '../../text'
import { NetworkCheck } from './network-check'
import { ProxyGroup } from './proxy-group'
import { ServerList } from './server-list'

const change = (network: SettingsPatch['network'] & object): void => {
  void changeSettings({ network })
}

export function NetworkPage() {
  const network = useSettings('network')
  const words = text.settings.network
  return (
    <>
      <SettingGroup>
        <ChoiceRow
          label={words.visible}
          about={words.visibleAbout}
          value={network.visible}
          options={visibilities.map((who) => [who, words.visibilities[who]])}
          onChange={(visible) => change({ visible })}
        />
        <ChoiceRow
          label={words.meeting}
          about={words.meetingAbout}
          value={network.meeting}
          options={meetingUses.map((use) => [use, words.meetings[use]])}
          onChange={(meeting) => change({ meeting })}
        />
        <ChoiceRow
          label={words.relay}
          about={words.relayAbout}
          value={network.relay}
          options={relayUses.map((relay) => [relay, words.relays[relay]])}
          onChange={(relay) => change({ relay })}
        />
        <SwitchRow
          label={words.portMapping}
          about={words.portMappingAbout}
          value={network.portMapping}
          onChange={(portMapping) => change({ portMapping })}
        />
        <SwitchRow
          label={words.background}
          about={words.backgroundAbout}
          value={network.background}
          onChange={(background) => change({ background })}
        />
      </SettingGroup>
      <ProxyGroup />
      <ServerList />
      <NetworkCheck />
    </>
  )
}
