exec python3 -m http.server --bind "$HOST" "$PORT"
