package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
)

type order struct {
	ID    string   `json:"id"`
	Items []string `json:"items"`
}

func one(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(order{ID: r.PathValue("id"), Items: []string{"shoe", "hat"}})
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}", one)
	log.Fatal(http.ListenAndServe(net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")), mux))
}
