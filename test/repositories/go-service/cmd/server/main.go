package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("shoe"))
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), mux))
}
