/** A proxy as a person types it, and as the settings store it. */
import { err, ok, type Result } from '#shared/result'
import {
  parseProxySetting,
  parseProxyUrl,
  type ProxyAddress,
  proxyName,
  proxyUrl,
} from '#shared/settings/proxy-url'
import { setPassword } from '#shared/settings/settings-secrets'

/** The contents of the fields. */
export type ProxyDraft = {
  readonly address: string
  readonly user: string
  readonly password: string
  /** The stored password is kept while none is typed and proxy and user are unchanged. */
  readonly keepsPassword: boolean
}

/** The invalid part. `credentials`: a proxy of that kind can't receive them. */
export type ProxyRefusal = 'address' | 'user' | 'credentials'

/** The initial contents of the fields; `null` for no proxy yet. */
export const draftOf = (proxy: ProxyAddress | null): ProxyDraft =>
  proxy === null
    ? { address: '', user: '', password: '', keepsPassword: false }
    : {
        address: proxyName(proxy),
        user: proxy.user,
        password: '',
        keepsPassword: proxy.password === setPassword,
      }

/** Changes one field of the draft. */
export const withField = (
  draft: ProxyDraft,
  key: 'address' | 'user' | 'password',
  value: string,
): ProxyDraft => ({
  ...draft,
  [key]: value,
  keepsPassword: draft.keepsPassword && key === 'password',
})

/** The setting of a draft. A pasted address may contain user and password, too; their own fields take precedence. */
export function proxyFrom(draft: ProxyDraft): Result<string, ProxyRefusal> {
  const proxy = parseProxyUrl(draft.address)
  if (proxy === null) return err('address')
  const user = draft.user.trim()
  const password = draft.password === '' && draft.keepsPassword ? setPassword : draft.password
  if (user === '' && password !== '') return err('user')
  const setting = proxyUrl(user === '' ? proxy : { ...proxy, user, password })
  return parseProxySetting(setting) === null ? err('credentials') : ok(setting)
}
