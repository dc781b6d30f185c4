/** How a client shows the password of a server that is only for those who know it. */

/** The header of an upgrade (RFC 7617), of a user without a name; none without a password. */
export const passwordHeaders = (password: string | undefined): Readonly<Record<string, string>> =>
  password === undefined
    ? {}
    : { Authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` }
