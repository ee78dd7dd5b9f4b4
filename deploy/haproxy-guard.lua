-- Action of HAProxy (2.5 or newer) that asks the guard for each request: docs/guides/protect-an-app.md
--   http-request lua.guard <address of the guard> <host of the rules>

-- Apps can read `X_Ostiary_Subject` as `X-Ostiary-Subject` (RFC 3875 section 4.1.18).
local reserved = "^x[^a-z0-9]ostiary[^a-z0-9]"
local copied = {
  ["authorization"] = true,
  ["dpop"] = true,
  ["x-request-id"] = true,
  ["x-http-method"] = true,
  ["x-http-method-override"] = true,
  ["x-method-override"] = true,
  ["accept"] = true,
  ["cookie"] = true,
  ["origin"] = true,
  ["sec-fetch-mode"] = true,
  ["sec-fetch-site"] = true,
  ["sec-purpose"] = true,
  ["sec-websocket-key"] = true,
  ["sec-websocket-version"] = true,
}
local passed = { ["www-authenticate"] = true, ["retry-after"] = true, ["content-type"] = true, ["cache-control"] = true, ["location"] = true }

-- Returns the values of a header in their order. HAProxy counts some lists from 0.
local function values_of(headers, name)
  local values = {}
  for _, value in pairs(headers[name] or {}) do
    values[#values + 1] = value
  end
  return values
end

core.register_action("guard", { "http-req" }, function(txn, address, host)
  local given = txn.http:req_get_headers()
  for name in pairs(given) do
    if string.find(string.lower(name), reserved) then
      txn.http:req_del_header(name)
    end
  end
  local asked = {
    ["x-forwarded-method"] = { txn.sf:method() },
    ["x-forwarded-host"] = { host },
    ["x-forwarded-uri"] = { txn.sf:pathq() },
  }
  local spellings = 0
  for name in pairs(given) do
    local values = values_of(given, name)
    if copied[string.gsub(string.lower(name), "[^a-z0-9]", "-")] then
      spellings = spellings + 1
      -- The HTTP client of HAProxy fails with too many headers: 2.5 and 2.6 with more than 101.
      if #values > 1 or spellings > 20 then
        return txn:done(txn:reply({ status = 400 }))
      end
      asked[name] = values
    end
  end
  local answer = core.httpclient():get({ url = "http://" .. address .. "/verify", headers = asked, timeout = 5000 })
  local headers = answer and answer.headers or {}
  if answer and answer.status == 200 then
    for name in pairs(headers) do
      local value = values_of(headers, name)[1]
      if string.find(name, reserved) and value and value ~= "" then
        txn.http:req_set_header(name, value)
      end
    end
    -- HAProxy omits headers without an error when its buffer is full.
    local set = txn.http:req_get_headers()
    for name in pairs(headers) do
      local value = values_of(headers, name)[1]
      if string.find(name, reserved) and value and value ~= "" and values_of(set, name)[1] ~= value then
        return txn:done(txn:reply({ status = 431 }))
      end
    end
    -- HAProxy continues after an error of an action: the configuration requires this variable.
    txn:set_var("txn.ostiary_permitted", true)
    return
  end
  local known = answer and (answer.status == 302 or answer.status == 400 or answer.status == 401 or answer.status == 403)
  local reply = txn:reply({ status = known and answer.status or 503, body = known and answer.body or "" })
  for name in pairs(headers) do
    if passed[name] then
      for _, value in ipairs(values_of(headers, name)) do
        reply:add_header(name, value)
      end
    end
  end
  txn:done(reply)
end, 2)
