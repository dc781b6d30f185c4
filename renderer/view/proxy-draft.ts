/** A proxy as a person types it, and as the settings keep it. */
import { err, ok, type Result } from '#shared/result'
import {
  parseProxySetting,
  parseProxyUrl,
  type ProxyAddress,
  proxyName,
  proxyUrl,
} from '#shared/settings/proxy-url'
import { setPassword } from '#shared/settings/settings-secrets'

/** What stands in the fields. */
export type ProxyDraft = {
  readonly address: string
  readonly user: string
  readonly password: string
  /** The password that is set stays, as long as none is typed and the proxy and the user are the same. */
  readonly keepsPassword: boolean
}

/** What can't be understood. `credentials`: no proxy of that kind can be told them. */
export type ProxyRefusal = 'address' | 'user' | 'credentials'

/** What the fields begin with; `null` for no proxy yet. */
export const draftOf = (proxy: ProxyAddress | null): ProxyDraft =>
  proxy === null
    ? { address: '', user: '', password: '', keepsPassword: false }
    : {
        address: proxyName(proxy),
        user: proxy.user,
        password: '',
        keepsPassword: proxy.password === setPassword,
      }

/** The draft with something else in one of its fields. */
export const withField = (
  draft: ProxyDraft,
  key: 'address' | 'user' | 'password',
  value: string,
): ProxyDraft => ({
  ...draft,
  [key]: value,
  keepsPassword: draft.keepsPassword && key === 'password',
})

/**
 * The setting of a draft. User and password may stand in the address, too, where people paste them; what stands
 * in their own fields counts before that.
 */
export function proxyFrom(draft: ProxyDraft): Result<string, ProxyRefusal> {
  const proxy = parseProxyUrl(draft.address)
  if (proxy === null) return err('address')
  const user = draft.user.trim()
  const password = draft.password === '' && draft.keepsPassword ? setPassword : draft.password
  if (user === '' && password !== '') return err('user')
  const setting = proxyUrl(user === '' ? proxy : { ...proxy, user, password })
  return parseProxySetting(setting) === null ? err('credentials') : ok(setting)
}
