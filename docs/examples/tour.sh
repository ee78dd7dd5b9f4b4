# The commands of the tour in README.md, for bash and zsh: . docs/examples/tour.sh

# demo NAME…: entries of the demo file of the running system, joined by colons.
demo() { node docs/examples/demo.mjs "$@"; }

# json [PATH]: the JSON on standard input, or a part of it.
json() {
  node -p "const value = JSON.parse(fs.readFileSync(0))${1:-}
    typeof value === 'string' ? value : util.inspect(value, { depth: null, breakLength: 120 })"
}

# scim METHOD PATH [BODY]: a request of the identity source.
scim() {
  local method=$1 resource=$2
  shift 2
  [ $# -eq 0 ] || set -- -H 'Content-Type: application/scim+json' -d "$1"
  curl -s -X "$method" "$(demo scim)$resource" -H "Authorization: Bearer $(demo clients.scim.token)" "$@"
}

# token: an access token of the administration client.
token() {
  curl -s "$(demo issuer)/token" -u "$(demo clients.admin.client_id clients.admin.client_secret)" \
    -d grant_type=client_credentials | json .access_token
}

# graph [ID]: the GraphQL operation on standard input, with the variable id.
graph() {
  node -p 'JSON.stringify({ query: fs.readFileSync(0, "utf8"), variables: { id: process.argv[1] } })' "${1:-}" |
    curl -s "$(demo graphql)" -H "Authorization: Bearer $(token)" -H 'Content-Type: application/json' -d @- | json
}

# introspect TOKEN: the state of an access token as an API reads it (RFC 7662).
introspect() {
  curl -s "$(demo issuer)/introspect" -u "$(demo clients.api.client_id clients.api.client_secret)" -d "token=$1" | json
}

demo console > /dev/null || return 1
