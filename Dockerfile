# One app process; see docs/scaling.md and compose.yaml.
FROM python:3.12.11-slim-bookworm AS build
RUN pip install --no-cache-dir "uv>=0.8,<1"
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=/opt/local-rag
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY web web
RUN uv sync --no-dev --no-editable --extra server --extra postgres --extra s3

FROM python:3.12.11-slim-bookworm
# Volumes take the owner of the folder that they are mounted over.
RUN useradd --uid 10001 --create-home app && install -d -o app -g app /data /share
COPY --from=build /opt/local-rag /opt/local-rag
ENV PATH=/opt/local-rag/bin:$PATH RAG_DATA_DIR=/data RAG_HOST=0.0.0.0 RAG_OPEN_BROWSER=false
USER app
WORKDIR /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=8)"]
CMD ["local-rag"]
