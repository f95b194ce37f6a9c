-- purpose: A value as it stands in the name of a set of the search index: percent-encoded, and hashed where it is long.
-- gives: search_word
-- writes: 0
local function search_word(value)
  if #value > 128 then
    return 'sha1-' .. redis.sha1hex(value)
  end
  return (value:gsub('[^%w._@+-]', function(byte)
    return string.format('%%%02X', byte:byte())
  end))
end
