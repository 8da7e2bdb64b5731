# The gateway as an image: `docker build -t tool-gateway .` It contains the package of the server, installed as without Docker.
# Web process: the default command. Worker: `node scripts/worker.mjs`. Operator: `node scripts/admin.mjs …`.

FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# The list of packages first: sources change more often, and these layers stay.
COPY package.json package-lock.json ./
COPY clients/cli/package.json clients/cli/
COPY fakes/stripe/package.json fakes/stripe/
COPY scripts/after-install.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run pack:server
# With a package.json, or npm would install into the folder around it.
RUN mkdir gateway && cd gateway && echo '{}' > package.json && npm install --no-audit --no-fund ../tool-gateway-server-*.tgz

FROM node:24-slim AS gateway
# Programs that some tools use: with CHROMIUM=1 the scraper and screenshots, with FFMPEG=1 audio and video.
ARG CHROMIUM=0
ARG FFMPEG=0
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates $([ "$CHROMIUM" = 1 ] && echo chromium fonts-liberation) $([ "$FFMPEG" = 1 ] && echo ffmpeg) && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# Libraries ask for a home even where the user has none, and with --user any may be chosen.
ENV HOME=/tmp
ENV HOST=0.0.0.0
ENV PORT=3000
ENV DATA_DIR=/var/lib/tool-gateway
ENV ASSETS_DIR=/var/lib/tool-gateway-files
COPY --from=build /app/gateway /gateway
WORKDIR /gateway/node_modules/tool-gateway-server
# The program belongs to root: who runs it can write its two folders and nothing else.
RUN groupadd --system --gid 10001 gateway && useradd --system --uid 10001 --gid 10001 --home-dir /nonexistent gateway
RUN install -d -o 10001 -g 10001 -m 700 /var/lib/tool-gateway /var/lib/tool-gateway-files
USER 10001:10001
VOLUME ["/var/lib/tool-gateway", "/var/lib/tool-gateway-files"]
EXPOSE 3000
# The gateway drains its calls for up to 25 seconds: give it 45 (docker stop --time 45).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.WORKER_PORT || process.env.PORT) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "serve.mjs"]
