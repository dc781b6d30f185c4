/**
 * Each transition of the shared state is one of these scripts, so it is atomic. They run on Redis 7 and
 * newer. KEYS[1] is the prefix of all keys. docs/signaling.md has the details:
 *
 *   nodes        sorted set   node -> end of its lease, ms;
 *   dead         set          nodes whose sockets are still in rooms;
 *   seq, size    hash         node -> entries, and bytes, ever added to its box;
 *   read         hash         node -> bytes of these that it has read;
 *   box:NODE     stream       effects for sockets of a node, in order, under 1-0, 2-0, 3-0 ...;
 *   nameplates:NODE set       nameplates where a node has sockets;
 *   rooms        hash         nameplate -> version, counted fields, and room, one per line;
 *   phases, taken, origins, owners, due   counts and indexes of rooms;
 *   turn:NAMEPLATE string     the node that the others briefly wait for;
 *   mb:MAILBOX   list         listening sockets, newest last;
 *   listens:NODE hash         socket -> its mailboxes;
 *   mails:NODE   hash         network -> mailboxes of this node's sockets there; `total`;
 *   b:...        string       remaining tokens of an allowance, and their time;
 *   key          string       the key of passes, the same for all nodes;
 */

/** Limits for the entries of a node's box; a node with more unread ones counts as dead. */
export const boxBounds = { entries: 16_384, bytes: 64 * 1024 * 1024 } as const

const common = `
local P = KEYS[1]
local function evict(node)
  redis.call('ZREM', P .. 'nodes', node)
  redis.call('SADD', P .. 'dead', node)
  redis.call('DEL', P .. 'box:' .. node, P .. 'mails:' .. node)
  for _, key in ipairs({'seq', 'size', 'read'}) do redis.call('HDEL', P .. key, node) end
end
local function push(node, op, effects)
  if not redis.call('ZSCORE', P .. 'nodes', node) then return 0 end
  local box = P .. 'box:' .. node
  local size = redis.call('HINCRBY', P .. 'size', node, #effects)
  local read = tonumber(redis.call('HGET', P .. 'read', node) or '0')
  if redis.call('XLEN', box) >= ${boxBounds.entries} or size - read > ${boxBounds.bytes} then
    evict(node)
    return 0
  end
  local seq = redis.call('HINCRBY', P .. 'seq', node, 1)
  redis.call('XADD', box, seq .. '-0', 'o', op, 'e', effects)
  return seq
end
local function pushAll(own, op, from)
  local ownSeq = 0
  for at = from, #ARGV, 2 do
    local seq = push(ARGV[at], op, ARGV[at + 1])
    if ARGV[at] == own then ownSeq = seq end
  end
  return ownSeq
end
local function isFull(at)
  local phases = redis.call('HMGET', P .. 'phases', 'hosted', 'absent')
  if tonumber(phases[1] or '0') + tonumber(phases[2] or '0') >= tonumber(ARGV[at]) then return true end
  for each = at + 3, at + 1 + 2 * tonumber(ARGV[at + 2]), 2 do
    local used = tonumber(redis.call('HGET', P .. 'origins', ARGV[each]) or '0')
    if ARGV[at + 1] ~= '' and used + 1 > tonumber(ARGV[at + 1]) * tonumber(ARGV[each + 1]) then return true end
  end
  return false
end
local function parts(text)
  local first = text:find('\\n', 1, true)
  local second = text:find('\\n', first + 1, true)
  return text:sub(1, first - 1), text:sub(first + 1, second - 1)
end
local function count(nameplate, text, sign)
  local of = cjson.decode(text)
  redis.call('HINCRBY', P .. 'phases', of.phase, sign)
  redis.call('HINCRBY', P .. 'taken', #nameplate, sign)
  if of.phase ~= 'resting' then
    for _, network in ipairs(of.networks) do
      if redis.call('HINCRBY', P .. 'origins', network, sign) <= 0 then
        redis.call('HDEL', P .. 'origins', network)
      end
    end
  end
  if of.owner ~= '' then
    if sign > 0 then redis.call('HSET', P .. 'owners', of.owner, nameplate)
    elseif redis.call('HGET', P .. 'owners', of.owner) == nameplate then
      redis.call('HDEL', P .. 'owners', of.owner)
    end
  end
  for _, node in ipairs(of.nodes) do
    redis.call(sign > 0 and 'SADD' or 'SREM', P .. 'nameplates:' .. node, nameplate)
  end
  if sign > 0 then redis.call('ZADD', P .. 'due', of['until'], nameplate)
  else redis.call('ZREM', P .. 'due', nameplate) end
end
`

/** Time for which the others wait for a node that repeatedly lost the race, ms. */
const turnMs = 100

/**
 * Replaces a room unless another node changed it. ARGV: own node, op, nameplate, version, count, room, flag if
 * it lost often enough for the others to wait, maximum sessions ('' if the change adds none), limit of an address
 * or '', number of networks, then each network with its limit, then node and effects.
 */
const commit = `
local own, op, nameplate = ARGV[1], ARGV[2], ARGV[3]
if not redis.call('ZSCORE', P .. 'nodes', own) then return {'evicted'} end
local turn = redis.call('GET', P .. 'turn:' .. nameplate)
if turn and turn ~= own then return {'wait'} end
local text = redis.call('HGET', P .. 'rooms', nameplate)
local version, counted = '-', nil
if text then version, counted = parts(text) end
if version ~= ARGV[4] then
  if ARGV[7] == '1' then redis.call('SET', P .. 'turn:' .. nameplate, own, 'PX', ${turnMs}) end
  return {'changed', text or ''}
end
if ARGV[8] ~= '' and counted and ARGV[5] ~= '' then
  local was, is = cjson.decode(counted), cjson.decode(ARGV[5])
  local isOneMore = was.phase == 'resting' or was.networks[1] ~= is.networks[1]
  if is.phase ~= 'resting' and isOneMore and isFull(8) then return {'full'} end
end
if turn then redis.call('DEL', P .. 'turn:' .. nameplate) end
if ARGV[6] ~= '=' then
  if counted ~= ARGV[5] then
    if counted then count(nameplate, counted, -1) end
    if ARGV[5] ~= '' then count(nameplate, ARGV[5], 1) end
  end
  if ARGV[6] == '' then
    redis.call('HDEL', P .. 'rooms', nameplate)
    redis.call('ZREM', P .. 'due', nameplate)
  else
    redis.call('HSET', P .. 'rooms', nameplate, op .. '\\n' .. ARGV[5] .. '\\n' .. ARGV[6])
  end
end
return {'kept', pushAll(own, op, 11 + 2 * tonumber(ARGV[10]))}
`

/**
 * Keeps a new room. ARGV: own node, op, nameplate, count, room, recycle, maximum sessions, limit of an
 * address or '', number of networks, then each network with its limit, then node and effects.
 */
const create = `
local own, op, nameplate = ARGV[1], ARGV[2], ARGV[3]
if not redis.call('ZSCORE', P .. 'nodes', own) then return {'evicted'} end
local owner = cjson.decode(ARGV[4]).owner
if owner ~= '' and redis.call('HEXISTS', P .. 'owners', owner) == 1 then return {'owner'} end
if isFull(7) then return {'full'} end
local text = redis.call('HGET', P .. 'rooms', nameplate)
if text then
  local _, counted = parts(text)
  if ARGV[6] ~= '1' or cjson.decode(counted).phase ~= 'resting' then return {'taken'} end
  count(nameplate, counted, -1)
elseif ARGV[6] == '1' then return {'taken'} end
count(nameplate, ARGV[4], 1)
redis.call('HSET', P .. 'rooms', nameplate, op .. '\\n' .. ARGV[4] .. '\\n' .. ARGV[5])
return {'kept', pushAll(own, op, 10 + 2 * tonumber(ARGV[9]))}
`

/** Delivers effects to nodes. ARGV: own node, op, then node and effects. */
const pass = `return pushAll(ARGV[1], ARGV[2], 3)`

/** Enrolls a new node. ARGV: node, lease in ms, a key to store if there is none. */
const enroll = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', P .. 'nodes', now + ARGV[2], ARGV[1])
redis.call('SET', P .. 'key', ARGV[3], 'NX')
return {tostring(now), redis.call('GET', P .. 'key'), redis.call('ZCARD', P .. 'nodes')}
`

/**
 * Renews a node's lease. ARGV: node, lease in ms, the last entry that it read and its op, bytes that it read,
 * flag if it may declare others dead, ms after which the state expires when no node is left. If the last entry is
 * missing or differs, this Redis has lost or replaced its data.
 */
const renew = `
local node, box = ARGV[1], P .. 'box:' .. ARGV[1]
if not redis.call('ZSCORE', P .. 'nodes', node) then return {'evicted'} end
if ARGV[3] ~= '0' then
  local id = ARGV[3] .. '-0'
  local last = redis.call('XRANGE', box, id, id)
  if #last == 0 or last[1][2][2] ~= ARGV[4] then
    evict(node)
    return {'evicted'}
  end
  redis.call('XTRIM', box, 'MINID', id)
  redis.call('HSET', P .. 'read', node, ARGV[5])
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', P .. 'nodes', now + ARGV[2], node)
if ARGV[6] == '1' then
  for _, other in ipairs(redis.call('ZRANGE', P .. 'nodes', '-inf', '(' .. now, 'BYSCORE')) do evict(other) end
end
for _, key in ipairs({'nodes', 'dead', 'seq', 'size', 'read', 'rooms', 'phases', 'taken', 'origins', 'owners', 'due', 'key'}) do
  redis.call('PEXPIRE', P .. key, ARGV[7])
end
for _, key in ipairs({'box:', 'nameplates:', 'listens:', 'mails:'}) do redis.call('PEXPIRE', P .. key .. node, ARGV[7]) end
return {'kept', tostring(now), redis.call('ZCARD', P .. 'nodes'), redis.call('SRANDMEMBER', P .. 'dead', 4)}
`

/** Removes a node that ends. ARGV: node. */
const retire = `
if redis.call('ZSCORE', P .. 'nodes', ARGV[1]) then evict(ARGV[1]) end
if redis.call('EXISTS', P .. 'nameplates:' .. ARGV[1], P .. 'listens:' .. ARGV[1]) == 0 then
  redis.call('SREM', P .. 'dead', ARGV[1])
end
return 1
`

/** Returns some nameplates and listeners of a dead node, and forgets a node without any. ARGV: node. */
const remains = `
local node = ARGV[1]
local nameplates = redis.call('SRANDMEMBER', P .. 'nameplates:' .. node, 64)
local listens = redis.call('HRANDFIELD', P .. 'listens:' .. node, 64)
if #nameplates == 0 and #listens == 0 then redis.call('SREM', P .. 'dead', node) end
return {nameplates, listens}
`

/** Records that a nameplate no longer has sockets of this node. ARGV: node, nameplate. */
const unassign = `return redis.call('SREM', P .. 'nameplates:' .. ARGV[1], ARGV[2])`

const mailboxes = `
local function drop(node, who)
  local text = redis.call('HGET', P .. 'listens:' .. node, who)
  if not text then return end
  redis.call('HDEL', P .. 'listens:' .. node, who)
  local of = cjson.decode(text)
  for _, mailbox in ipairs(of.mailboxes) do redis.call('LREM', P .. 'mb:' .. mailbox, 0, who) end
  if redis.call('EXISTS', P .. 'mails:' .. node) == 0 then return end
  redis.call('HINCRBY', P .. 'mails:' .. node, 'total', -#of.mailboxes)
  for _, network in ipairs(of.networks) do
    if redis.call('HINCRBY', P .. 'mails:' .. node, network, -#of.mailboxes) <= 0 then
      redis.call('HDEL', P .. 'mails:' .. node, network)
    end
  end
end
local function used(network)
  local sum = 0
  for _, node in ipairs(redis.call('ZRANGE', P .. 'nodes', 0, -1)) do
    sum = sum + tonumber(redis.call('HGET', P .. 'mails:' .. node, network) or '0')
  end
  return sum
end
`

/**
 * Sets the mailboxes of a socket. ARGV: own node, op, socket, maximum listeners, maximum mailboxes, limit of
 * an address or '', stored value, effects of success, effects if there are too many, ms to expiry, networks with
 * their limits.
 */
const listen = `
local own, who = ARGV[1], ARGV[3]
if not redis.call('ZSCORE', P .. 'nodes', own) then return {'evicted'} end
drop(own, who)
local of = cjson.decode(ARGV[7])
local fits = used('total') + #of.mailboxes <= tonumber(ARGV[5])
for at = 11, #ARGV, 2 do
  fits = fits and (ARGV[6] == '' or used(ARGV[at]) + #of.mailboxes <= tonumber(ARGV[6]) * tonumber(ARGV[at + 1]))
end
if not fits then return {'full', push(own, ARGV[2], ARGV[9])} end
redis.call('HSET', P .. 'listens:' .. own, who, ARGV[7])
redis.call('HINCRBY', P .. 'mails:' .. own, 'total', #of.mailboxes)
for _, network in ipairs(of.networks) do redis.call('HINCRBY', P .. 'mails:' .. own, network, #of.mailboxes) end
for _, mailbox in ipairs(of.mailboxes) do
  redis.call('RPUSH', P .. 'mb:' .. mailbox, who)
  redis.call('LTRIM', P .. 'mb:' .. mailbox, -tonumber(ARGV[4]), -1)
  redis.call('PEXPIRE', P .. 'mb:' .. mailbox, ARGV[10])
end
return {'kept', push(own, ARGV[2], ARGV[8])}
`

/** Removes a socket's mailboxes. ARGV: node, socket. */
const unlisten = `
drop(ARGV[1], ARGV[2])
return 1
`

/** Extends the expiry of mailboxes in use. ARGV: ms, then mailboxes. */
const refresh = `
for at = 2, #ARGV do redis.call('PEXPIRE', P .. 'mb:' .. ARGV[at], ARGV[1]) end
return 1
`

/** ARGV: own node, op, mailbox, message to listeners, effects if there were any, and effects if there were none. */
const notify = `
local own, op = ARGV[1], ARGV[2]
if not redis.call('ZSCORE', P .. 'nodes', own) then return {'evicted'} end
local reached = 0
for _, who in ipairs(redis.call('LRANGE', P .. 'mb:' .. ARGV[3], 0, -1)) do
  local effects = '[{"type":"send","to":"' .. who .. '","message":' .. ARGV[4] .. '}]'
  if push(who:sub(1, 16), op, effects) > 0 then reached = 1 end
end
return {'kept', push(own, op, reached == 1 and ARGV[5] or ARGV[6]), reached}
`

/** Takes one token of each allowance, or none. ARGV: now, then name, rate per minute and burst of each. */
const take = `
local now, after = tonumber(ARGV[1]), {}
for at = 2, #ARGV, 3 do
  local key, rate, burst = P .. 'b:' .. ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local tokens, asOf = burst, now
  local kept = redis.call('GET', key)
  if kept then
    local t, a = kept:match('^(%S+) (%S+)$')
    t, a = tonumber(t), tonumber(a)
    tokens, asOf = math.max(t, math.min(burst, t + (now - a) * rate / 60000)), math.max(now, a)
  end
  if tokens < 1 then return 0 end
  after[#after + 1] = {key, tokens - 1, asOf, math.ceil((burst - tokens + 1) * 60000 / rate) + 1000}
end
for _, of in ipairs(after) do
  redis.call('SET', of[1], string.format('%.17g %.17g', of[2], of[3]), 'PX', string.format('%d', of[4]))
end
return 1
`

/** Returns one token to each allowance. ARGV: name and burst of each. */
const giveBack = `
for at = 1, #ARGV, 2 do
  local key = P .. 'b:' .. ARGV[at]
  local kept = redis.call('GET', key)
  if kept then
    local t, a = kept:match('^(%S+) (%S+)$')
    local tokens = tonumber(t) + 1
    if tokens >= tonumber(ARGV[at + 1]) then redis.call('DEL', key)
    else redis.call('SET', key, string.format('%.17g %s', tokens, a), 'KEEPTTL') end
  end
end
return 1
`

/**
 * Lets current participants continue and leave even if Redis has no memory for new data; these scripts may
 * slightly exceed its limit.
 */
const always = (body: string): string => `#!lua flags=allow-oom\n${common}${body}`
const ifRoom = (body: string): string => `#!lua\n${common}${body}`

/** The scripts by name; each has one key. */
export const scripts = {
  enroll: always(enroll),
  renew: always(renew),
  retire: always(retire),
  remains: always(remains),
  unassign: always(unassign),
  pass: always(pass),
  commitRunning: always(commit),
  commitNew: ifRoom(commit),
  create: ifRoom(create),
  listen: ifRoom(mailboxes + listen),
  unlisten: always(mailboxes + unlisten),
  refresh: always(refresh),
  notify: always(mailboxes + notify),
  take: ifRoom(take),
  takeReturn: always(take),
  giveBack: always(giveBack),
} as const

/** The name of a script. */
export type ScriptName = keyof typeof scripts
