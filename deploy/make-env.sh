#!/bin/sh
# Writes the .env that compose.yaml needs, with fresh secrets: sh deploy/make-env.sh https://gateway.example.com
set -eu
base_url="${1:?Say the public address: sh deploy/make-env.sh https://gateway.example.com}"
file="${2:-.env}"
if [ -e "$file" ]; then
  echo "$file is there already: its secrets would be lost. Move it away first." >&2
  exit 1
fi
umask 077
secret() { openssl rand -base64 32; }
cat > "$file" <<END
# Keep a copy of this file where the backups are not: without these secrets a backup is of little use.
BASE_URL=$base_url
POSTGRES_PASSWORD=$(openssl rand -hex 24)
AUTH_SECRET=$(secret)
VAULT_KEY=$(secret)
CLAIM_SECRET=$(secret)
# One way to sign in: a mail server, or GITHUB_CLIENT_ID and _SECRET, or GOOGLE_CLIENT_ID and _SECRET.
SMTP_URL=
OPERATOR_EMAIL=
# Any other setting of .env.example may follow.
END
echo "Wrote $file. Set SMTP_URL and OPERATOR_EMAIL in it, then: docker compose up -d"
