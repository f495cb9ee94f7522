# The web table for a club: see docs/hosting.md.
FROM python:3.11-slim AS build
COPY . /src
RUN sh /src/deploy/install.sh /opt/ridotto

FROM python:3.11-slim
# Nobody else looks into the data: the server sets its umask itself.
RUN useradd --system --create-home --home-dir /data ridotto && chmod 0700 /data
COPY --from=build /opt/ridotto /opt/ridotto
USER ridotto
ENV RIDOTTO_DATA=/data XDG_CACHE_HOME=/data/cache PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["/opt/ridotto/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/health', timeout=4)"]
ENTRYPOINT ["/opt/ridotto/bin/ridotto", "serve", "--host", "0.0.0.0", "--log", "-"]
